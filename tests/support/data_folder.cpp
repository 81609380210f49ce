#include "data_folder.h"

namespace stiction::test {

std::string data_folder() { return STICTION_TEST_DATA; }

}  // namespace stiction::test
