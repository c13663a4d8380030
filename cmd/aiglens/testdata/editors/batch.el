;;; What a session in a batch Emacs needs: to wait, to look at diagnostics, and to have done at
;;; once what an Emacs with windows does in idle time.

(defun session-says (words)
  (seq-some (lambda (d) (string-match-p (regexp-quote words) (flymake-diagnostic-text d)))
            (flymake-diagnostics)))

(defmacro session-wait (what condition)
  `(let ((end (+ (float-time) 60)))
     (while (not ,condition)
       (when (> (float-time) end)
         (message "no %s in\n%s\n%s" ,what (buffer-string)
                  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
         (kill-emacs 1))
       (accept-process-output nil 0.02)
       ;; A batch Emacs has no idle time in which Eglot would send changes and Flymake ask.
       (eglot--signal-textDocument/didChange)
       (when flymake-mode (flymake-start)))))

(defun session-replace (line text)
  (goto-char (point-min))
  (forward-line (1- line))
  (delete-region (point) (line-end-position))
  (insert text))

(defun session-line (line)
  (save-excursion
    (goto-char (point-min))
    (forward-line (1- line))
    (buffer-substring-no-properties (point) (line-end-position))))

(defun session-position ()
  (eglot--TextDocumentPositionParams))

;; A batch Emacs runs no timers for hooks after a command; eglot-ensure connects there.
(advice-add 'eglot-ensure :override
            (lambda ()
              (if (eglot-current-server)
                  (eglot--maybe-activate-editing-mode)
                (apply #'eglot--connect (eglot--guess-contact)))))
(setq eglot-sync-connect 20 eglot-confirm-server-initiated-edits nil)

