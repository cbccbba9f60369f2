/ Sixteen aggregates over the study's table: they read columns whole and return little. Expected rows
/ are those at scale 1. The conditions select 44 (1), 54 (2), 11 (15) and 49 % (16) of the rows.

/ 1: expect 1
select n:count i from quote where bid>95

/ 2: expect 1
select n:count i from quote where bsize>500

/ 3: expect 1
select sum bid from quote

/ 4: expect 1
select sum bsize, avg asize from quote

/ 5: expect 1
select min bid, max ask from quote

/ 6: expect 1
select dev bid from quote

/ 7: expect 1
select bsize wavg bid from quote

/ 8: expect 4
select avg bid by col1 from quote

/ 9: expect 4
select sum bsize, n:count i by col1 from quote

/ 10: expect 4
select bsize wavg bid by col1 from quote

/ 11: expect 248
select n:count i by date,col1 from quote

/ 12: expect 248
select open:first bid, high:max bid, low:min bid, close:last bid by date,col1 from quote

/ 13: expect 4
select med bid by col1 from quote

/ 14
select n:count i by time from quote where date=2020.01.07

/ 15: expect 1
select sum bid from quote where asize>1800

/ 16: expect 1
select avg bid, sum bsize from quote where asize>600
