"""The list of what the papers have (lab/coverage/), and the check of it: `coverage_test.py STICTION`."""

import copy
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import coverage  # noqa: E402

STICTION = sys.argv.pop(1)


def claim(name, outcome, reason="", evidence="theory"):
    return {"name": name, "outcome": outcome, "reason": reason, "evidence": evidence, "source": "here"}


class RealList(unittest.TestCase):
    def test_is_complete_and_true(self):
        checked = subprocess.run([sys.executable, "-B", ROOT / "scripts/coverage.py", "--check"], capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_knows_the_experiments_of_the_command(self):
        listed = json.loads(subprocess.run([STICTION, "list", "--json"], check=True, capture_output=True, text=True).stdout)
        self.assertEqual(set(coverage.Project.read().sources), {experiment["id"] for experiment in listed})

    def test_has_the_four_documents(self):
        documents, beyond = coverage.read_list(ROOT / "lab/coverage")
        self.assertEqual([document["order"] for document in documents], [1, 2, 3, 4])
        self.assertEqual([document.get("numbered") for document in documents],
                         [{"figure": 20, "table": 2, "equation": 32}, {"figure": 37, "table": 6, "equation": 44},
                          {"figure": 18, "equation": 37}, None])
        self.assertTrue(all(beyond.values()))


class PlantedErrors(unittest.TestCase):
    def setUp(self):
        self.project = coverage.Project(ROOT, {"planar/one": "lab/registry.cpp", "planar/two": "lab/registry.cpp"},
                                        {"Disc.Rolls": "lab/registry.cpp"})
        self.document = {
            "order": 1, "title": "A paper", "source": "Someone", "numbered": {"figure": 3},
            "figure": [{"at": "1", "title": "A curve", "experiments": ["planar/one"], "claims": ["slope"],
                        "pictures": ["planar/one/fig1.svg"]},
                       {"at": "2-3", "title": "Photographs", "reason": "no data"}],
            "rule": [{"at": "§ 2", "title": "Roll", "tests": ["Disc.Rolls"]}]}
        self.beyond = {"planar/two": "a goal of this project"}
        self.results = {"planar/one": {"id": "planar/one", "figures": [{"file": "fig1.svg"}],
                                       "claims": [claim("slope of the curve", "reproduced"), claim("height", "confirmed")]}}

    def found(self, results=None):
        return coverage.problems([self.document], self.beyond, self.project, results)

    def expect(self, text, results=None):
        self.assertTrue(any(text in problem for problem in self.found(results)), self.found(results))

    def test_a_true_list_has_none(self):
        self.assertEqual(self.found(), [])
        self.assertEqual(self.found(self.results), [])

    def test_an_entry_needs_an_experiment_a_test_or_a_reason(self):
        del self.document["figure"][1]["reason"]
        self.expect("Fig. 2–3 (Photographs): has neither an experiment nor a test nor a reason")

    def test_names_must_exist(self):
        figure = self.document["figure"][0]
        for name, value, text in [
                ("experiments", ["planar/three"], "the experiment planar/three, which is not registered"),
                ("tests", ["Disc.Flies"], "the test Disc.Flies, which does not exist"),
                ("files", ["lab/none.cpp"], "the file lab/none.cpp, which does not exist"),
                ("pictures", ["planar/two/fig1.svg"], "planar/two/fig1.svg, which is of none of its experiments")]:
            kept = copy.deepcopy(figure)
            figure[name] = value
            self.expect(text)
            self.document["figure"][0] = figure = kept

    def test_fields_are_known_and_of_their_type(self):
        self.document["figure"][1] |= {"verdict": "reproduced", "tests": "Disc.Rolls", "reason": " "}
        del self.document["figure"][1]["title"]
        for text in ["unknown field 'verdict'", "'tests' is not a list", "'reason' is not a text", "has no 'title'"]:
            self.expect(text)
        self.document["picture"] = []
        self.expect("picture: there is no such kind of entry")

    def test_numbers_have_one_entry_each(self):
        self.document["figure"][1]["at"] = "3-4"
        for text in ["Fig. 2 has no entry", "Fig. 4 is not in the document"]:
            self.expect(text)
        self.document["figure"][1]["at"] = "1-3"
        self.expect("Fig. 1 has 2 entries")

    def test_every_experiment_is_named_or_beyond(self):
        self.beyond.clear()
        self.expect("planar/two: no entry names this experiment")
        self.beyond |= {"planar/one": "why", "planar/three": "why"}
        self.expect("planar/one: listed as beyond the papers, but an entry names it")
        self.expect("planar/three: listed as beyond the papers, but not registered")

    def test_results_must_have_the_claims_and_pictures(self):
        self.document["figure"][0]["claims"].append("width")
        self.document["figure"][0]["pictures"].append("planar/one/fig2.svg")
        self.expect("the claim 'width', which none of its experiments makes", self.results)
        self.expect("planar/one/fig2.svg, which is not drawn", self.results)
        self.expect("planar/one, of which there is no result", {})
        self.document["figure"][0]["claims"] = ["width"]
        self.expect("names planar/one, of which it means no claim", self.results)

    def test_what_a_paper_prints_has_an_entry(self):
        self.results["planar/one"]["claims"].append(claim("width", "reproduced", evidence="printed"))
        self.expect("planar/one: no entry is about the claim 'width' (printed: here)", self.results)

    def test_a_page_is_compared_by_its_list_and_with_results_by_its_verdicts(self):
        with tempfile.TemporaryDirectory() as folder:
            self.project.root = Path(folder)
            file = Path(folder) / coverage.PAGE
            file.parent.mkdir()
            listed = [self.document], self.beyond, self.project
            self.assertTrue(coverage.stale(*listed, None))  # no page
            file.write_text(coverage.page(*listed, self.results), encoding="utf-8")
            self.assertFalse(coverage.stale(*listed, None) or coverage.stale(*listed, self.results))
            self.results["planar/one"]["claims"][0]["outcome"] = "refuted"
            self.assertTrue(coverage.stale(*listed, self.results))
            self.assertFalse(coverage.stale(*listed, None))
            self.document["figure"][1]["reason"] = "another reason"
            self.assertTrue(coverage.stale(*listed, None))


class Verdicts(unittest.TestCase):
    def verdict(self, made, **entry):
        results = {"planar/one": {"id": "planar/one", "figures": [], "claims": made}}
        entry = {"experiments": ["planar/one"], **entry}
        return coverage.verdict(entry, results), coverage.status(entry, results)

    def test_count_the_claims_of_the_entry(self):
        claims = [claim("slope, left", "reproduced"), claim("slope, right", "reproduced"), claim("height", "confirmed"),
                  claim("time", "info", "another machine, 3.1 ms")]
        self.assertEqual(self.verdict(claims), ("2 reproduced, 1 confirmed, 1 for information", "reproduced"))
        self.assertEqual(self.verdict(claims, claims=["height"]), ("1 confirmed", "confirmed"))
        self.assertEqual(self.verdict(claims, claims=["slope…right", "slope…height"])[0], "1 reproduced")
        self.assertEqual(self.verdict(claims, claims=["time"]), ("1 for information", "for information"))

    def test_say_why_something_is_refuted(self):
        claims = [claim("slope", "reproduced"), claim("largest |h|", "refuted", "the axis ends at 0.015, the curve at 0.759")]
        self.assertEqual(self.verdict(claims), ("1 reproduced, 1 refuted; **refuted**: largest \\|h\\|: the axis ends at 0.015, "
                                                "the curve at 0.759", "partly refuted"))
        self.assertEqual(self.verdict(claims, claims=["largest"])[1], "refuted")

    def test_do_not_hide_what_is_not_as_expected(self):
        self.assertEqual(self.verdict([claim("slope", "not as expected"), claim("height", "refuted", "why")])[1], "not as expected")

    def test_do_not_call_a_measurement_reproduced_by_a_law(self):
        self.assertEqual(self.verdict([claim("slope", "confirmed")], reason="no data"),
                         ("not reproducible: no data; 1 confirmed", "not reproducible"))


if __name__ == "__main__":
    unittest.main()
