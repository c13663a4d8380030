(set-logic HORN)
(declare-fun P (Integer) Bool)
(check-sat)
