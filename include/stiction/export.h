// What a shared library shows to others. A class whose exceptions or dynamic casts cross the border needs it too.
#pragma once

#if defined(__GNUC__)
#define STICTION_EXPORT __attribute__((visibility("default")))
#else
#define STICTION_EXPORT
#endif
