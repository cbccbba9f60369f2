/ Forty queries of an equities desk over the tables of `gen --profile taq`: transaction costs, market
/ quality, surveillance and end-of-day reports. The day that is looked at is 2020.01.07, the month
/ begins on 2020.01.03. BYYF is the most traded of the made-up symbols.

/ turnover-weighted price of each symbol today
/ 1
select vwap:size wavg price by sym from trade where date=2020.01.07

/ the same by arithmetic, in the session, without corrected trades
/ 2
select vwap:(sum size*price)%sum size by sym from trade where date=2020.01.07, time within 0D09:30 0D16:00, corr=0

/ one-minute bars of one symbol
/ 3
select open:first price, high:max price, low:min price, close:last price, sum size by time.minute from trade where date=2020.01.07, sym=`BYYF

/ five-minute bars of every symbol
/ 4
select open:first price, high:max price, low:min price, close:last price, volume:sum size by sym, 0D00:05 xbar time from trade where date=2020.01.07

/ daily bars of the month
/ 5
select open:first price, high:max price, low:min price, close:last price, volume:sum size, trades:count i by date,sym from trade where date within 2020.01.03 2020.01.31

/ the ten symbols with the most shares traded
/ 6
select[10;>volume] from select volume:sum size by sym from trade where date=2020.01.07

/ the fifty largest trades by value
/ 7
select[50;>value] sym,time,ex,value:size*price from trade where date=2020.01.07

/ blocks outside the session
/ 8
select sym,time,size,price from trade where date=2020.01.07, size>=10000, not time within 0D09:30 0D16:00

/ share of each exchange in a day's volume
/ 9
select volume:sum size, trades:count i by ex from trade where date=2020.01.07

/ volume reported off exchange by reporting facility and hour
/ 10
select volume:sum size by trf, time.hh from trade where date=2020.01.07, ex="D"

/ turnover of each day of the month, in millions
/ 11
select turnover:1e-6*sum size*price by date from trade where date within 2020.01.03 2020.01.31

/ odd lots' share of the trades, by hour
/ 12
select oddlots:avg size<100 by time.hh from trade where date=2020.01.07

/ trades by condition
/ 13
select trades:count i, volume:sum size by cond from trade where date=2020.01.07

/ symbols and exchanges that traded
/ 14
select distinct sym,ex from trade where date=2020.01.07

/ number of symbols quoted at each exchange
/ 15
select symbols:count distinct sym by ex from quote where date=2020.01.07

/ mean spread of each symbol, in basis points of the middle
/ 16
select spread:1e4*avg (ask-bid)%0.5*ask+bid by sym from quote where date=2020.01.07, bid>0, ask>bid

/ spread by half hour of the ten symbols with the most shares traded
/ 17
select spread:avg ask-bid, widest:max ask-bid by sym, 0D00:30 xbar time from quote where date=2020.01.07, sym in (exec sym from select[10;>n] from select n:sum size by sym from trade where date=2020.01.07), bid>0

/ locked and crossed quotes of each exchange
/ 18
select locked:sum bid=ask, crossed:sum bid>ask, quotes:count i by ex from quote where date=2020.01.07

/ symbols with most quotes without a bid
/ 19
select[20;>n] from select n:count i by sym from quote where date=2020.01.07, bid=0

/ book imbalance of one symbol by minute
/ 20
select imbalance:avg (bsize-asize)%bsize+asize by time.minute from quote where date=2020.01.07, sym=`BYYF, bsize>0

/ size-weighted middle price of one symbol
/ 21
select time, micro:((bid*asize)+ask*bsize)%bsize+asize from quote where date=2020.01.07, sym=`BYYF, bsize>0

/ best bid and ask over all exchanges, by second
/ 22
select bid:max bid, ask:min ask by time.second from quote where date=2020.01.07, sym=`BYYF, time within 0D10:00 0D10:30

/ quotes a trade, of each symbol
/ 23
select sym, ratio:quotes%trades from (select quotes:count i by sym from quote where date=2020.01.07) ij select trades:count i by sym from trade where date=2020.01.07

/ trades with the quote that stood before them
/ 24
aj[`sym`time; select sym,time,price,size from trade where date=2020.01.07; select sym,time,bid,ask from quote where date=2020.01.07]

/ effective spread by symbol: twice the distance from the middle
/ 25
select effective:avg 2*abs price-0.5*bid+ask by sym from aj[`sym`time; select sym,time,price from trade where date=2020.01.07; select sym,time,bid,ask from quote where date=2020.01.07, bid>0]

/ signed volume by five minutes: above the middle bought, below it sold
/ 26
select flow:sum size*signum price-0.5*bid+ask by sym, 0D00:05 xbar time from aj[`sym`time; select sym,time,price,size from trade where date=2020.01.07; select sym,time,bid,ask from quote where date=2020.01.07, bid>0]

/ trades outside the quote that stood before them
/ 27
select from aj[`sym`time; select sym,time,price,size,ex from trade where date=2020.01.07; select sym,time,bid,ask from quote where date=2020.01.07, bid>0] where (price<bid) | price>ask

/ age of the quote at each trade
/ 28
select age:avg ttime-time by sym from aj0[`sym`time; select sym,time,ttime:time from trade where date=2020.01.07; select sym,time,bid from quote where date=2020.01.07]

/ moving average and deviation of one symbol's price over 50 trades
/ 29
select time, price, mean:50 mavg price, deviation:50 mdev price from trade where date=2020.01.07, sym=`BYYF

/ running volume and turnover-weighted price of one symbol
/ 30
select time, volume:sums size, vwap:(sums size*price)%sums size from trade where date=2020.01.07, sym=`BYYF

/ each trade's change of price, in ticks, beside the running high
/ 31
update tick:signum deltas price, high:maxs price by sym from select sym,time,price from trade where date=2020.01.07

/ volatility of each symbol from trade to trade
/ 32
select volatility:sdev log price%prev price by sym from trade where date=2020.01.07, corr=0

/ how long each quote stood, on average, by symbol
/ 33
select life:avg (next time)-time by sym from quote where date=2020.01.07

/ how often the bid changed, of each symbol
/ 34
select changes:sum differ bid, quotes:count i by sym from quote where date=2020.01.07

/ each symbol's largest trade
/ 35
select sym,time,size,price from trade where date=2020.01.07, size=(max;size) fby sym

/ quotes that were the best bid of their symbol and exchange
/ 36
select sym,ex,time,bid,bsize from quote where date=2020.01.07, bid=(max;bid) fby ([]sym;ex)

/ quartile-like picture of trade sizes by hour: median, deviation, largest
/ 37
select med size, dev size, max size by time.hh from trade where date=2020.01.07

/ how price and size move together, of symbols that traded often
/ 38
select from (select c:price cor size, n:count i by sym from trade where date=2020.01.07) where n>1000

/ delay between participant and tape, by exchange; without missing clocks
/ 39
select delay:avg time-ptime, ahead:sum ptime>time by ex from trade where date=2020.01.07, not null ptime

/ a bad day for clocks: trades without a participant's time, latest first
/ 40
`time xdesc select sym,time,ex,seq from trade where date=2020.01.07, null ptime
