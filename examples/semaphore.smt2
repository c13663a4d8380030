; A semaphore with any number of permits, for any number of processes. A process that finds no permit waits; one that
; leaves hands its permit to one that waits.
;
; free, inside, waiting and idle count permits and processes; no finite circuit holds all of them.
; To see what goes wrong: let a process that leaves free its permit although others wait (make "(= waiting 0)" in the
; last rule a "(>= waiting 0)").
(set-logic HORN)
(set-info :status sat)

; permits free inside waiting idle
(declare-fun state (Int Int Int Int Int) Bool)

; At the start all permits are free and all processes idle.
(assert
  (forall ((permits Int) (idle Int))
    (=> (and (>= permits 1) (>= idle 0)) (state permits permits 0 0 idle))))

; A process asks, and gets a permit.
(assert
  (forall ((permits Int) (free Int) (inside Int) (waiting Int) (idle Int))
    (=>
      (and (state permits free inside waiting idle) (> idle 0) (> free 0))
      (state permits (- free 1) (+ inside 1) waiting (- idle 1)))))

; A process asks, and waits.
(assert
  (forall ((permits Int) (free Int) (inside Int) (waiting Int) (idle Int))
    (=>
      (and (state permits free inside waiting idle) (> idle 0) (<= free 0))
      (state permits free inside (+ waiting 1) (- idle 1)))))

; A process leaves, and another one goes on.
(assert
  (forall ((permits Int) (free Int) (inside Int) (waiting Int) (idle Int))
    (=>
      (and (state permits free inside waiting idle) (> inside 0) (> waiting 0))
      (state permits free inside (- waiting 1) (+ idle 1)))))

; A process leaves, and no other one waits.
(assert
  (forall ((permits Int) (free Int) (inside Int) (waiting Int) (idle Int))
    (=>
      (and (state permits free inside waiting idle) (> inside 0) (= waiting 0))
      (state permits (+ free 1) (- inside 1) waiting (+ idle 1)))))

; Never are more processes inside than there are permits.
(assert
  (forall ((permits Int) (free Int) (inside Int) (waiting Int) (idle Int))
    (=> (and (state permits free inside waiting idle) (> inside permits)) false)))

; Never does a process wait while a permit is free.
(assert
  (forall ((permits Int) (free Int) (inside Int) (waiting Int) (idle Int))
    (=> (and (state permits free inside waiting idle) (> waiting 0) (> free 0)) false)))
(check-sat)
