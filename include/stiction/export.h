/* What a shared library shows to others; all else in it is hidden. A class of exceptions or with virtual functions
   needs it too. Plain C, for stiction.h. */
#pragma once

#if defined(__GNUC__)
#define STICTION_EXPORT __attribute__((visibility("default")))
#else
#define STICTION_EXPORT
#endif
