(set-logic HORN)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(check-sat)
