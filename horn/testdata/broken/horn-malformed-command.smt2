(set-logic HORN)
(declare-fun P Int)
(check-sat)
