; A traffic light with clocks. Cars have red for 10 to 12 seconds. Within the first 4 seconds of that a person may step
; onto the road, and is across after 6 seconds at most.
;
; light counts the seconds since the light has changed, walk those since the person stepped onto the road.
; To see what goes wrong: let the person step onto the road when 4 seconds are over (set "(< light 4.0)" to
; "(<= light 4.0)"): the light turns green at the very moment in which the person is across, or not yet.
(set-logic HORN)
(set-info :status sat)

; red light crossing walk
(declare-fun at (Bool Real Bool Real) Bool)

; At the start cars have green.
(assert (at false 0.0 false 0.0))

; Time passes.
(assert
  (forall ((light Real) (walk Real) (crossing Bool) (delay Real))
    (=>
      (and (at false light crossing walk) (>= delay 0.0) (=> crossing (<= (+ walk delay) 6.0)))
      (at false (+ light delay) crossing (+ walk delay)))))
(assert
  (forall ((light Real) (walk Real) (crossing Bool) (delay Real))
    (=>
      (and
        (at true light crossing walk)
        (>= delay 0.0)
        (<= (+ light delay) 12.0)
        (=> crossing (<= (+ walk delay) 6.0)))
      (at true (+ light delay) crossing (+ walk delay)))))

; The light changes to red, and back.
(assert
  (forall ((light Real) (walk Real) (crossing Bool))
    (=> (and (at false light crossing walk) (>= light 20.0)) (at true 0.0 crossing walk))))
(assert
  (forall ((light Real) (walk Real) (crossing Bool))
    (=> (and (at true light crossing walk) (>= light 10.0)) (at false 0.0 crossing walk))))

; A person steps onto the road, and is across.
(assert
  (forall ((light Real) (walk Real))
    (=> (and (at true light false walk) (< light 4.0)) (at true light true 0.0))))
(assert
  (forall ((red Bool) (light Real) (walk Real))
    (=> (at red light true walk) (at red light false walk))))

; Cars never have green while a person crosses.
(assert (forall ((light Real) (walk Real)) (=> (at false light true walk) false)))
(check-sat)
