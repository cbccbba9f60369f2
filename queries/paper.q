/ The eleven queries of the published experiment, as printed.
/ Expected rows at scale 1 follow from the text read literally: a query by date over a range gives
/ its groups once a trading day (20 of them from 2020.01.03, 62 from 2019.11.01 to 2020.01.31).
/ paper-counted.q has the reading that gives the published counts.

/ one value on one day: the last row of each col1
/ 1: expect 2
select * by date,col1 from quote where date=2020.01.07, col3 in `val1

/ one value over a month: the last row of each day and col1
/ 2: expect 40
select * by date,col1 from quote where date within (2020.01.03 2020.01.31), col3 in `val1

/ one value over the whole range: the last row of each day and col1
/ 3: expect 124
select * by date,col1 from quote where date within (2019.11.01 2020.01.31), col3 in `val1

/ three values on one day: every row
/ 4: expect 3064072
select * from quote where date=2020.01.07, col3 in `val2`val1`val3

/ three values on one day: the last row of each col1 and col2
/ 5: expect 4
select * by date,col1,col2 from quote where date=2020.01.07, col3 in `val2`val1`val3

/ three values over a month: the last row of each day, col1 and col2
/ 6: expect 80
select * by date,col1,col2 from quote where date within (2020.01.03;2020.01.31), col3 in `val2`val1`val3

/ three values over the whole range: the last row of each day, col1 and col2
/ 7: expect 248
select * by date,col1,col2 from quote where date within (2019.11.01;2020.01.31), col3 in `val2`val1`val3

/ two values in the whole table: the last row of each col1
/ 8: expect 3
select * by col1 from quote where col3 in `val2`val1

/ two values over the whole range: the last row of each day and col1
/ 9: expect 186
select * by date,col1 from quote where date within (2019.11.01;2020.01.31),col3 in `val2`val1

/ three values over a month: every row
/ 10: expect 71643220
select * from quote where date within (2020.01.03 2020.01.31), col3 in `val2`val1`val3

/ three values over the whole range: every row
/ 11: expect 189941620
select * from quote where date within (2019.11.01 2020.01.31), col3 in `val2`val1`val3
