#include <png.h>

#include "stiction/problem.h"
#include "stiction/viz/picture.h"

namespace stiction::viz {

std::string to_png(const Image& image) {
  if (image.width == 0 || image.height == 0 || image.width > 65535 || image.height > 65535 ||
      image.rgb.size() != 3 * image.width * image.height) {
    throw InvalidParameter({"image", static_cast<double>(image.rgb.size()), "3 bytes for each pixel", true});
  }
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  // Into memory that is certainly enough: asking for the size first would compress twice
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) != 0) {
    bytes.resize(size);
    return bytes;
  }
  throw Error(std::string("cannot make a PNG: ") + &header.message[0]);
}

}  // namespace stiction::viz
