(set-logic HORN)
(declare-fun and (Int) Bool)
(check-sat)
