(set-logic HORN)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(declare-fun P (Int) Bool)
(check-sat)
