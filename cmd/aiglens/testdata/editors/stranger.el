;;; The first verdict: a circuit is opened and saved, and its property is refuted.
(find-file "semaphore2_broken.aag")
(session-wait "server" (eglot-managed-p))
(set-buffer-modified-p t)
(save-buffer)
(session-wait "verdict" (session-says "refuted at step 4"))
