(set-logic HORN)
(declare-fun P ((_ BitVec 8)) Bool)
(check-sat)
