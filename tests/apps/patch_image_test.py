"""Grey PNG images as patches of `stiction limit-surface`, written here byte by byte."""

import json
import struct
import zlib

import command_line
from command_line import run

GREY, COLOUR, PALETTE, GREY_ALPHA = 0, 2, 3, 4
PATCH = '[patch]\nshape = "grid"\nfile = "image.png"\nwidth = 0.03\nheight = 0.02\n'


def png(rows, bits=8, kind=GREY, size=None, extra=()):
    """Rows of bytes, each pixel as it is stored, without a filter."""
    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    width, height = size or (len(rows[0]) * 8 // bits, len(rows))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)) +
            b"".join(chunk(name, data) for name, data in extra) +
            chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))) + chunk(b"IEND", b""))


class PatchImage(command_line.TestCase):
    def run_on(self, image):
        (self.folder / "image.png").write_bytes(image)
        (self.folder / "patch.toml").write_text(PATCH)
        return run("limit-surface", self.folder / "patch.toml", "--out", self.folder / "out", "--json")

    def surface(self, image):
        process = self.run_on(image)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return json.loads(process.stdout)

    def of_csv(self, text):
        (self.folder / "image.csv").write_text(text)
        (self.folder / "patch.toml").write_text(PATCH.replace(".png", ".csv"))
        return json.loads(run("limit-surface", self.folder / "patch.toml", "--out", self.folder / "out",
                              "--json").stdout)

    def test_values_count_as_they_are_stored(self):
        expected = self.of_csv("0, 7, 200\n255, 0, 1\n")
        gamma = [(b"gAMA", struct.pack(">I", 45455))]  # for eyes: it must not bend the pressure
        self.assertEqual(self.surface(png([[0, 7, 200], [255, 0, 1]])), expected)
        self.assertEqual(self.surface(png([[0, 7, 200], [255, 0, 1]], extra=gamma)), expected)

    def test_bytes_behind_the_end_do_not_count(self):
        image = png([[0, 7, 200], [255, 0, 1]])
        self.assertEqual(self.surface(image + b"more"), self.surface(image))

    def test_rows_count_from_the_top(self):
        for result in self.of_csv("0, 1, 6\n0, 0, 1\n"), self.surface(png([[0, 1, 6], [0, 0, 1]])):
            x, y = result["centre_of_pressure"]
            self.assertAlmostEqual(x, 0.01 * 7 / 8, delta=1e-15)
            self.assertAlmostEqual(y, 0.005 * 6 / 8, delta=1e-15)

    def test_sixteen_bits(self):
        expected = self.of_csv("0, 258, 65535\n256, 0, 1\n")
        rows = [struct.pack(">3H", 0, 258, 65535), struct.pack(">3H", 256, 0, 1)]
        self.assertEqual(self.surface(png(rows, bits=16)), expected)

    def test_bad_images_are_refused(self):
        good = png([[0, 7, 200], [255, 0, 1]])
        flipped = bytearray(good)
        flipped[45] ^= 1
        cases = {
            "colour": (png([[1, 2, 3]], kind=COLOUR, size=(1, 1)), "grey"),
            "grey and alpha": (png([[1, 2]], kind=GREY_ALPHA, size=(1, 1)), "grey"),
            "palette": (png([[0]], kind=PALETTE, extra=[(b"PLTE", b"\0\0\0")]), "grey"),
            "four bits": (png([[0x12]], bits=4), "8 or 16 bits"),
            "no PNG": (b"0, 1\n2, 3\n", "image.png"),
            "empty": (b"", "image.png"),
            "cut": (good[:-20], "unexpected end of file"),
            "cut in the header": (good[:20], "unexpected end of file"),
            "a chunk of 1 GiB": (good[:33] + struct.pack(">I", 1 << 30) + b"iTXt" + good[33:], "unexpected end of file"),
            "wrong checksum": (bytes(flipped), "image.png"),
            "too few rows": (png([[1, 2]], size=(2, 3)), "image.png"),
            "too large": (png([[1] * 1001]), "1000"),
            "a bomb": (png([[1]], size=(2**31 - 1, 2**31 - 1)), "image.png"),
            "all black": (png([[0, 0]]), "sum"),
        }
        for name, (image, fragment) in cases.items():
            with self.subTest(name):
                self.assert_one_line(self.run_on(image), 2, fragment)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    command_line.main()
