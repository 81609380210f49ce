// The library's version, the only place that states it: CMake and the command line read it from here.
#pragma once

#define STICTION_VERSION "0.2.0"
