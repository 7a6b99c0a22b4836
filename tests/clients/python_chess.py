"""A client that knows nothing of Tessera: python-chess plays and analyses through it.

    pip install chess
    python tests/clients/python_chess.py target/release/tessera

Ends with code 0 if everything was as it should be. Whatever python-chess complains of
(an illegal move, a line that it cannot read, an unexpected answer) is a failure.
"""

import logging
import random
import sys

import chess
import chess.engine

COMPLAINTS = []


class Listener(logging.Handler):
    """Keeps what python-chess complains of."""

    def emit(self, record):
        COMPLAINTS.append(record.getMessage())


def check(condition, message):
    if not condition:
        raise SystemExit(f"python-chess: {message}")


def check_line(board, line):
    """A line is legal and does not go on after the end of the game."""
    board = board.copy()
    for number, move in enumerate(line):
        over = board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100
        check(number == 0 or not over, f"{line} goes on after the end in {board.fen()}")
        check(move in board.legal_moves, f"{move} of {line} is illegal in {board.fen()}")
        board.push(move)
    return board


def play_games(engine, count):
    """Games on the clock, with everything that a player sees checked."""
    for number in range(count):
        chess960 = number % 2 == 1
        board = chess.Board.from_chess960_pos(number * 97 % 960) if chess960 else chess.Board()
        dice = random.Random(number)
        for _ in range(6):
            board.push(dice.choice(list(board.legal_moves)))
        while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 160:
            limit = chess.engine.Limit(
                white_clock=0.4, black_clock=0.4, white_inc=0.01, black_inc=0.01
            )
            result = engine.play(board, limit, game=number, info=chess.engine.INFO_ALL)
            check(result.move in board.legal_moves, f"{result.move} in {board.fen()}")
            check("score" in result.info and "pv" in result.info, f"no score: {result.info}")
            check(result.info["pv"][0] == result.move, f"{result.move} is not {result.info['pv']}")
            check_line(board, result.info["pv"])
            if result.ponder:
                after = board.copy()
                after.push(result.move)
                check(result.ponder in after.legal_moves, f"ponder {result.ponder}")
            board.push(result.move)
        print(f"game {number + 1}: {board.result(claim_draw=True)} after {len(board.move_stack)} plies")


def ponder_game(engine):
    """python-chess ponders by itself when asked to."""
    board = chess.Board()
    for _ in range(16):
        limit = chess.engine.Limit(white_clock=2, black_clock=2)
        result = engine.play(board, limit, ponder=True)
        board.push(result.move)
        if board.is_game_over():
            break  # The replies are not good ones.
        # Half of the time the expected reply comes, half of the time another.
        replies = list(board.legal_moves)
        reply = result.ponder if len(board.move_stack) % 4 == 1 and result.ponder else replies[0]
        board.push(reply)
    engine.ping()
    print(f"pondered through {len(board.move_stack)} plies")


def analyse(engine):
    """Several lines, limits of every kind, and an analysis that is stopped."""
    kiwipete = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    limits = [
        chess.engine.Limit(depth=4),
        chess.engine.Limit(nodes=5000),
        chess.engine.Limit(time=0.1),
        chess.engine.Limit(mate=1, depth=4),
    ]
    for limit in limits:
        lines = engine.analyse(kiwipete, limit, multipv=3)
        check(len(lines) == 3, f"{len(lines)} lines")
        scores = [line["score"].relative for line in lines]
        check(scores == sorted(scores, reverse=True), f"not in order: {scores}")
        check(len({line["pv"][0] for line in lines}) == 3, "the same move twice")
        for line in lines:
            check_line(kiwipete, line["pv"])
    with engine.analysis(chess.Board(), multipv=2) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
        analysis.stop()
        best = analysis.wait()
    check(best.move in chess.Board().legal_moves, "the stopped analysis has a move")
    chosen = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=3), root_moves=chosen)
    check(info["pv"][0] in chosen, "root moves")
    mate = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(mate=2))
    check(info["score"].white() == chess.engine.Mate(2), f"{info['score']}")
    check(check_line(mate, info["pv"]).is_checkmate(), "the line mates")
    print("analysed")


def configure(engine):
    """Every option that python-chess may set, at its default and elsewhere."""
    for name, option in engine.options.items():
        if option.type == "button":
            engine.configure({name: None})
        elif not option.is_managed():
            engine.configure({name: option.default})
    engine.configure({"Hash": 32, "Threads": 2, "Move Overhead": 20, "UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=3))
    check(sum(info["wdl"].relative) == 1000, f"{info['wdl']}")
    engine.configure({"Hash": 16, "Threads": 1, "UCI_ShowWDL": False})
    print(f"configured {len(engine.options)} options")


def main():
    listener = Listener(level=logging.WARNING)
    logging.getLogger("chess.engine").addHandler(listener)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=30) as engine:
        check(engine.id["name"].startswith("Tessera "), f"{engine.id}")
        configure(engine)
        analyse(engine)
        play_games(engine, 4)
        ponder_game(engine)
        for fen in ["R6k/8/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]:
            info = engine.analyse(chess.Board(fen), chess.engine.Limit(depth=3))
            check("pv" not in info, f"{info}")
    check(not COMPLAINTS, f"complains: {COMPLAINTS}")
    print("python-chess has no complaint")


if __name__ == "__main__":
    main()
