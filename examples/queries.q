/ Own queries for `hdbench run DB --queries examples/queries.q` and `hdbench query DB --file ...`.
/ One query a line; a line that begins with a slash is a comment. "/ 7" numbers the next query,
/ "/ 7: expect 8" also states its rows at scale 1. They run on a database of `hdbench gen DB
/ --profile paper`; for another database change table, columns and dates.

/ The first query to try: the last row of each symbol. Without conditions it reads whole columns.
select by col1 from quote

/ One day, one column: few bytes. Partitions outside the date are pruned and never opened.
select last bid by col1 from quote where date=2020.01.07

/ A symbol condition uses the p attribute where `gen --parted col3` has set it (--attr parted);
/ with --attr none it scans col3. The difference is what p gives.
select count i by col1 from quote where date within 2020.01.03 2020.01.31, col3 in `val1`val2

/ A float condition always scans: this one is bound by memory bandwidth.
select n:count i, avg bid, max ask from quote where bid>95

/ Grouping by two columns.
select sum bsize, bsize wavg bid by date,col1 from quote where date within 2020.01.03 2020.01.31

/ What each row is made of: the middle price in one-hour bars.
select mid:avg 0.5*bid+ask, high:max ask by 60 xbar time.minute from quote where date=2020.01.07

/ Each row beside its group: the rows with a symbol's highest bid.
select col1,time,bid from quote where date=2020.01.07, bid=(max;bid) fby col1

/ A large result: it needs workspace, so -w stops it first (hdbench limit DB --queries ...).
select from quote where date within 2020.01.03 2020.01.31
