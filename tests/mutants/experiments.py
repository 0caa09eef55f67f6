"""Mutants of the files of finished runs, and of what is handed to workers."""

from tests.mutants import of

SHARDS = "experiments/test_shards.py"
ENGINE = "experiments/test_engine.py"

EXPERIMENTS = [
    *of(
        "experiments/shards.py",
        SHARDS,
        ('results["run"].to_numpy()))\n    tidy(folder)', 'results["run"].to_numpy()))'),
        (
            '    write_file(folder, "runs", span, results)\n    tidy(folder)',
            '    write_file(folder, "runs", span, results)',
        ),
        ("span.last <= reach", "span.last < reach"),
        ("(span.first, -span.last)", "(span.first, span.last)"),
        ("len(results) < span.size", "len(results) > span.size"),
        ('.sort_by("run")', ""),
        ("part[:] = False", "pass"),
        ("fcntl.LOCK_EX | fcntl.LOCK_NB", "fcntl.LOCK_SH"),
        ("            fcntl.flock(handle, fcntl.LOCK_SH)\n", "            pass\n"),
    ),
    *of(
        "experiments/shards.py",
        SHARDS,
        (
            "table.cast(pa.schema(fields)).combine_chunks()",
            "table.combine_chunks()",
        ),
        ("span.shard == span.last // SHARD and ", ""),
        ("metadata.num_rows != span.size", "metadata.num_rows > span.size"),
        ("span.first, span.last + 1)):\n", "span.first, span.last + 1)) and False:\n"),
        ("page_checksum_verification=True", "page_checksum_verification=False"),
        ("_columns_of(file.schema_arrow) !=", "file.metadata.metadata.get(_COLUMNS) !="),
    ),
    *of(
        "experiments/engine.py",
        f"{ENGINE}::test_batches_take_about_a_second_within_a_shard"
        f" {ENGINE}::test_a_long_batch_saves_what_it_has",
        ("SECONDS * self._made / self._seconds", "SECONDS * self._seconds / self._made"),
        ("shard.last + 1)", "shard.last + 1000)"),
        ("first + int(taken[0]) if len(taken) else limit", "limit"),
        ("            self._first += len(traces)\n", ""),
        ("    finally:\n        unsaved.save()", "    finally:\n        pass"),
    ),
    *of(
        "experiments/engine.py",
        f"{ENGINE}::test_a_long_batch_saves_what_it_has experiments/test_failures.py",
        ("        self.save()\n        self._first += 1", "        self._first += 1"),
        ("        self.save()\n        self._first += 1", "        self.save()"),
        ("except (Exception, SystemExit)", "except Exception"),
        ("self.finished[failure.run] = False", "pass"),
    ),
    *of(
        "experiments/engine.py",
        "experiments/test_failures.py",
        ("run_seed(series.seed, run)", "run_seed(series.seed, 0)"),
        ("self.add_note(self.failures[0].traceback)", "pass"),
    ),
    *of(
        "experiments/planning.py",
        f"{ENGINE}::test_anything_that_changes_a_result_changes_its_folder"
        f" {ENGINE}::test_an_edit_of_the_package_changes_the_folder"
        f" {ENGINE}::test_a_default_counts_as_if_it_was_given"
        f" {ENGINE}::test_a_folder_of_results_has_a_plain_name",
        ('"seed": seed,', ""),
        ('"horizon": horizon,', ""),
        ('"source": source_digest(),', ""),
        ("{**defaults, **spec.parameters}", "spec.parameters"),
        ('.strip(".-")', ""),
        ('c in ".-" else', 'c in ".-=_" else'),
    ),
]
