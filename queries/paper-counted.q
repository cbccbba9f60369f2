/ The eleven queries of the published experiment, as its row counts say that they were run: 2, 3, 6, 7
/ and 9 on the two end dates of their range. Expected rows at scale 1 are the published ones, all of
/ them. paper.q has the text as printed.

/ one value on one day: the last row of each col1
/ 1: expect 2
select * by date,col1 from quote where date=2020.01.07, col3 in `val1

/ one value on two days a month apart: the last row of each day and col1
/ 2: expect 4
select * by date,col1 from quote where date in (2020.01.03;2020.01.31), col3 in `val1

/ one value on the first and last day: the last row of each day and col1
/ 3: expect 4
select * by date,col1 from quote where date in (2019.11.01;2020.01.31), col3 in `val1

/ three values on one day: every row
/ 4: expect 3064072
select * from quote where date=2020.01.07, col3 in `val2`val1`val3

/ three values on one day: the last row of each col1 and col2
/ 5: expect 4
select * by date,col1,col2 from quote where date=2020.01.07, col3 in `val2`val1`val3

/ three values on two days a month apart: the last row of each day, col1 and col2
/ 6: expect 8
select * by date,col1,col2 from quote where date in (2020.01.03;2020.01.31), col3 in `val2`val1`val3

/ three values on the first and last day: the last row of each day, col1 and col2
/ 7: expect 8
select * by date,col1,col2 from quote where date in (2019.11.01;2020.01.31), col3 in `val2`val1`val3

/ two values in the whole table: the last row of each col1
/ 8: expect 3
select * by col1 from quote where col3 in `val2`val1

/ two values on the first and last day: the last row of each day and col1
/ 9: expect 6
select * by date,col1 from quote where date in (2019.11.01;2020.01.31),col3 in `val2`val1

/ three values over a month: every row
/ 10: expect 71643220
select * from quote where date within (2020.01.03 2020.01.31), col3 in `val2`val1`val3

/ three values over the whole range: every row
/ 11: expect 189941620
select * from quote where date within (2019.11.01 2020.01.31), col3 in `val2`val1`val3
