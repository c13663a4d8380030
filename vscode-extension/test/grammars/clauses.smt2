; A counter that never passes its bound.
(set-logic HORN)
(set-info :status sat)
(declare-fun |the count| (Int Real) Bool)
(declare-rel P (Int))
(define-fun twice ((x Int)) Int (* 2 x))
(assert (forall ((x Int) (y Real)) (=> (and (|the count| x y) (< x 10.5) (not (= x (- 3)))) (|the count| (twice x) y)))) ; a rule
(rule (=> true (P 0)))
(assert (! (let ((a (ite true 1 #x1F))) (>= a 2)) :named "a ""name"" ; no comment"))
(check-sat)
