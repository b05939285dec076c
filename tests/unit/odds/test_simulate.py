"""Runs of simulated games: the same whoever plays them, stopped and carried on, and refused with a word."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bobing.core.catalogue import find_sheet, read_rules
from bobing.odds.simulate import Setting, SimulationError, core_game, simulate
from bobing.odds.simulate.blocks import play_blocks
from bobing.odds.simulate.jit import jit
from bobing.odds.simulate.setting import BLOCK

S2 = find_sheet("S2")


def test_a_seed_gives_the_same_games_on_any_number_of_workers():
    one, three = (simulate(Setting(S2, 4, seed=5), 45_000, workers=workers).to_json() for workers in (1, 3))
    assert one == three
    assert one != simulate(Setting(S2, 4, seed=6), 45_000).to_json()


def test_known_values():
    found = simulate(Setting(S2, 10, seed=1), 400_000)
    for (value, error), known in [
        (found.throws, 228.5326981215489),
        (found.cakes["yixiu"][0], 3.3678),
        (found.cakes["yixiu"][9], 3.0322),
        (found.champion[0], 0.10213),
        (found.champion[9], 0.09788),
    ]:
        assert abs(value - known) < 4 * error + 5e-5, (value, error, known)
    assert found.quantile(0.5) in (216, 217, 218)
    assert sum(chance for chance, _ in found.champion) + found.no_champion[0] == pytest.approx(1)
    assert sum(cakes for cakes, _ in found.cakes["erju"]) == pytest.approx(16)


def test_a_game_of_a_simulation_can_be_looked_at():
    setting = Setting(S2, 3, seed=2)
    lengths = [sum(entry.result.combination is not None for entry in core_game(setting, n).log) for n in range(3)]
    assert play_blocks(setting, 0, 1, 3).lengths.nonzero()[0].tolist() == sorted(set(lengths))


def test_a_stopped_run_goes_on(tmp_path: Path):
    state = tmp_path / "run.json"

    def stop(games: int) -> None:
        if games >= 3 * BLOCK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(Setting(S2, 3, seed=3), 12 * BLOCK, state=state, progress=stop)
    kept = json.loads(state.read_text())
    assert 3 * BLOCK <= kept["totals"]["games"] < 12 * BLOCK
    told: list[int] = []
    found = simulate(Setting(S2, 3, seed=3), 12 * BLOCK + 5, state=state, progress=told.append)
    assert told[0] > 3 * BLOCK
    assert found.to_json() == simulate(Setting(S2, 3, seed=3), 12 * BLOCK + 5).to_json()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seats": 1}, "odds/bad_seats"),
        ({"seats": 501}, "odds/bad_seats"),
        ({"seed": -1}, "odds/bad_seed"),
        ({"seconds": 0}, "odds/bad_seconds"),
        ({"spills": 1}, "odds/bad_spills"),
    ],
)
def test_what_cannot_be_simulated_is_refused(change: dict[str, int], code: str):
    with pytest.raises(SimulationError) as refused:
        simulate(replace(Setting(S2, 3), **change), 10)
    assert refused.value.code == code


def test_no_games_and_no_cluster_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bobing.odds.simulate.cluster.CONNECT_S", 0.2)
    for games, cluster, code in [(0, None, "odds/bad_games"), (10, "tcp://127.0.0.1:9", "odds/no_cluster")]:
        with pytest.raises(SimulationError) as refused:
            simulate(Setting(S2, 3), games, cluster=cluster)
        assert refused.value.code == code


def test_a_state_file_of_another_run_is_refused_and_kept(tmp_path: Path):
    state = tmp_path / "run.json"
    simulate(Setting(S2, 3, seed=3), BLOCK, state=state)
    before = state.read_bytes()
    for rules, players, seed in [(S2, 4, 3), (S2, 3, 4), (read_rules('extends = "S2"\ncakes.yixiu = 40'), 3, 3)]:
        with pytest.raises(SimulationError) as refused:
            simulate(Setting(rules, players, seed), BLOCK, state=state)
        assert refused.value.code == "odds/other_state"
    with pytest.raises(SimulationError) as refused:
        simulate(Setting(S2, 3, seed=3), 5, state=state)
    assert refused.value.code == "odds/fewer_games"
    assert state.read_bytes() == before
    for text in (
        "",
        "[]",
        "{}",
        '{"format": "bobing-simulation/2"}',
        before.decode().replace('"done": 1', '"done": 2'),
    ):
        state.write_text(text)
        with pytest.raises(SimulationError) as refused:
            simulate(Setting(S2, 3, seed=3), BLOCK, state=state)
        assert refused.value.code == "odds/bad_state", text


def test_a_state_that_cannot_be_written_is_told(tmp_path: Path):
    with pytest.raises(SimulationError) as refused:
        simulate(Setting(S2, 3), BLOCK, state=tmp_path / "missing" / "run.json")
    assert refused.value.code == "odds/no_state"


def test_time_and_spilt_throws_count():
    capped = read_rules('extends = "S2"\n[ending]\nminutes = 10\nundecided = "three-dice"')
    found = simulate(Setting(capped, 5, seed=1, seconds=12), 20_000)
    assert (found.quantile(0.99), found.no_champion[0]) == (50, 0)
    assert found.won_with["three-dice"][0] == pytest.approx((46_095 / 46_656) ** 50, abs=0.015)
    spilt = simulate(Setting(S2, 5, seed=1, spills=0.25), 20_000)
    assert abs(spilt.mean - 228.5326981 / 0.75) < 4 * spilt.throws[1]


def test_a_notebook_shows_the_figures():
    shown = simulate(Setting(S2, 3, seed=5), 1000)._repr_html_()
    assert shown.startswith("<table")
    assert "3 players: 1,000 games simulated" in shown
    assert "standard errors behind ±; seed 5 gives the same again." in shown
    assert "from one game no standard error can be told. Seed 5" in simulate(Setting(S2, 3, seed=5), 1)._repr_html_()


def test_functions_are_compiled_once_for_all_numbers_and_also_where_nothing_can_be_kept():
    written = "def _sum(a, b):\n    return a + b\n\ndef total(a):\n    return _sum(1, 2) + _sum(3, a) + _sum(a, 4)\n"
    names: dict[str, Any] = {}
    exec(written, names)
    names["_sum"] = jit(names["_sum"])
    assert jit(names["total"])(5) == 20
    assert len(names["_sum"].signatures) == 1
