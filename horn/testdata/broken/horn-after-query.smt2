(declare-rel q ())
(declare-var x Int)
(query q)
(rule q)
