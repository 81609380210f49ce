#include "grey_image.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr png_uint_32 max_pixels = 1000;  // along each side

struct Bytes {
  const std::string& all;
  std::size_t at = 0;
};

struct Image {
  png_uint_32 width = 0, height = 0;
  int bits = 0;
  std::vector<png_byte> pixels;
  std::vector<png_bytep> rows;
};

using Message = std::array<char, 120>;

// libpng reports errors by a longjmp: no object with a destructor may be in between.

void keep_message(png_structp png, png_const_charp text) {
  std::strncpy(static_cast<Message*>(png_get_error_ptr(png))->data(), text, Message{}.size() - 1);
  png_longjmp(png, 1);
}

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto& bytes = *static_cast<Bytes*>(png_get_io_ptr(png));
  if (count > bytes.all.size() - bytes.at) {
    png_error(png, "unexpected end of file");
  }
  std::memcpy(to, bytes.all.data() + bytes.at, count);
  bytes.at += count;
}

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

/// Whether every chunk of a PNG file ends within it: libpng allocates the size that a chunk claims.
bool chunks_fit(const std::string& file) {
  constexpr std::size_t overhead = 12;  // bytes of a chunk besides its data: length, type, checksum
  for (std::size_t at = signature.size(); at < file.size();) {
    const std::size_t remaining = file.size() - at;
    if (remaining < overhead) {
      return false;
    }
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      length = length << 8U | static_cast<unsigned char>(file[at + i]);
    }
    if (length > remaining - overhead) {
      return false;
    }
    if (file.compare(at + 4, 4, "IEND") == 0) {
      break;
    }
    at += overhead + length;
  }
  return true;
}

bool read_header(png_structp png, png_infop info, Image& image) {
  if (setjmp(png_jmpbuf(png)) != 0) {  // NOLINT(cert-err52-cpp): the way of libpng
    return false;
  }
  png_read_info(png, info);
  image.width = png_get_image_width(png, info);
  image.height = png_get_image_height(png, info);
  image.bits = png_get_bit_depth(png, info);
  if (png_get_color_type(png, info) != PNG_COLOR_TYPE_GRAY || image.bits < 8) {
    png_error(png, "not a grey image of 8 or 16 bits");
  }
  if (image.width > max_pixels || image.height > max_pixels) {
    png_error(png, "more than 1000 pixels along a side");
  }
  return true;
}

bool read_pixels(png_structp png, Image& image) {
  if (setjmp(png_jmpbuf(png)) != 0) {  // NOLINT(cert-err52-cpp)
    return false;
  }
  png_set_interlace_handling(png);
  png_read_image(png, image.rows.data());
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

std::vector<std::vector<double>> read_grey_png(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  if (text.starts_with(signature) && !chunks_fit(text)) {
    throw InputError(fmt::format("{}: unexpected end of file", path.string()));
  }
  Bytes bytes{text};
  Message message{};
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, keep_message, [](png_structp, png_const_charp) {});
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  Image image;
  bool good = false;
  if (info != nullptr) {
    png_set_read_fn(png, &bytes, read_bytes);
    good = read_header(png, info, image);
  }
  if (good) {
    const std::size_t in_a_row = std::size_t{image.width} * static_cast<std::size_t>(image.bits / 8);
    image.pixels.resize(in_a_row * image.height);
    for (std::size_t j = 0; j < image.height; ++j) {
      image.rows.push_back(image.pixels.data() + j * in_a_row);
    }
    good = read_pixels(png, image);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (!good) {
    throw InputError(fmt::format("{}: {}", path.string(), message.data()));
  }

  std::vector<std::vector<double>> values(image.height, std::vector<double>(image.width));
  for (std::size_t j = 0; j < image.height; ++j) {
    for (std::size_t i = 0; i < image.width; ++i) {
      const png_byte* at = image.rows[j] + (image.bits == 16 ? 2 * i : i);
      values[j][i] = image.bits == 16 ? 256.0 * at[0] + at[1] : at[0];
    }
  }
  return values;
}

}  // namespace stiction::io
