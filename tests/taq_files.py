"""Small files in the form of NYSE's Daily TAQ, made up here: random rows, the same for one seed."""

import gzip
import random

TRADE = ("Time|Exchange|Symbol|Sale Condition|Trade Volume|Trade Price|Trade Stop Stock Indicator|"
         "Trade Correction Indicator|Sequence Number|Trade Id|Source of Trade|"
         "Trade Reporting Facility|Participant Timestamp|"
         "Trade Reporting Facility TRF Timestamp|Trade Through Exempt Indicator").split("|")
QUOTE = ("Time|Exchange|Symbol|Bid_Price|Bid_Size|Offer_Price|Offer_Size|Quote_Condition|"
         "Sequence_Number|National_BBO_Ind|FINRA_BBO_Indicator|FINRA_ADF_MPID_Indicator|"
         "Quote_Cancel_Correction|Source_Of_Quote|Retail_Interest_Indicator|"
         "Short_Sale_Restriction_Indicator|LULD_BBO_Indicator|SIP_Generated_Message_Identifier|"
         "National_BBO_LULD_Indicator|Participant_Timestamp|FINRA_ADF_Timestamp|"
         "FINRA_ADF_Market_Participant_Quote_Indicator|Security_Status_Indicator").split("|")
SYMBOLS = ["A", "AAPL", "BRK A", "BRK B", "END", "MSFT", "T PRA", "ZZT"]
SECOND = 10**9


def clock(time_ns, digits=9):
    seconds, parts = divmod(time_ns, SECOND)
    fraction = f"{parts:09d}"[:digits]
    return f"{seconds // 3600:02d}{seconds // 60 % 60:02d}{seconds % 60:02d}{fraction}"


def line(names, fields):
    return "|".join(str(fields.get(name, "")) for name in names)


def price(chance):
    return f"{chance.randrange(1, 400000) / chance.choice([1, 100, 10000]):.4f}".rstrip("0")


def trade(chance, symbol, time_ns, number):
    return line(TRADE, {
        "Time": clock(time_ns, chance.choice([3, 6, 9])), "Exchange": chance.choice("NQPDZ"),
        "Symbol": symbol, "Sale Condition": chance.choice(["@", "@  I", "@F I", "   T", ""]),
        "Trade Volume": chance.choice(["", chance.randrange(1, 5000)]),
        "Trade Price": chance.choice(["", price(chance), price(chance)]),
        "Trade Stop Stock Indicator": chance.choice(["", " ", "N"]),
        "Trade Correction Indicator": chance.choice(["00", "00", "01", "12"]),
        "Sequence Number": number, "Trade Id": chance.randrange(10**9),
        "Source of Trade": chance.choice("CN"),
        "Trade Reporting Facility": chance.choice(["", " ", "Q", "B"]),
        "Participant Timestamp": chance.choice(["", clock(time_ns - 54321)]),
        "Trade Through Exempt Indicator": "0"})


def quote(chance, symbol, time_ns, number):
    return line(QUOTE, {
        "Time": clock(time_ns), "Exchange": chance.choice("NQPKZ"), "Symbol": symbol,
        "Bid_Price": chance.choice(["0", price(chance)]), "Bid_Size": chance.randrange(100),
        "Offer_Price": price(chance), "Offer_Size": chance.randrange(100),
        "Quote_Condition": chance.choice("RROA"), "Sequence_Number": number,
        "Source_Of_Quote": chance.choice("CN"),
        "Short_Sale_Restriction_Indicator": chance.choice(["", " ", "E"]),
        "Participant_Timestamp": clock(time_ns - 12345), "Security_Status_Indicator": ""})


def lines(kind, date, rows, seed=1, symbols=None):
    """A whole file's lines: header, rows by symbol and nearly by time, the END line."""
    chance = random.Random(seed)
    names, made = (TRADE, trade) if kind == "trade" else (QUOTE, quote)
    texts = ["|".join(names)]
    symbols = symbols or SYMBOLS
    for number in range(rows):
        time_ns = 9 * 3600 * SECOND + number * SECOND // 7 + chance.randrange(SECOND)
        texts.append(made(chance, symbols[number * len(symbols) // rows], time_ns, number + 1))
    return [*texts, f"END|{date}|{rows}" + "|" * (len(names) - 3)]


def write(folder, kind, date, rows, seed=1, symbols=None, name=None, is_packed=False):
    """The path of a new file in the folder."""
    path = folder / (name or f"EQY_US_ALL_{kind.upper()}_{date}")
    text = "\n".join(lines(kind, date, rows, seed, symbols)) + "\n"
    data = text.encode()
    path.write_bytes(gzip.compress(data, 1, mtime=0) if is_packed else data)
    return path
