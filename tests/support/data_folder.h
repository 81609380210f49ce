#pragma once

#include <string>

namespace stiction::test {

/// tests/data of the checkout that the tests were built from.
std::string data_folder();

}  // namespace stiction::test
