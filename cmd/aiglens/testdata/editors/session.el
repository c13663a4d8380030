;;; What a user of Emacs with Eglot does with a circuit: reads an error, looks at a latch,
;;; follows it, renames it, saves and sees a verdict, and asks for one of what is not saved.

(find-file session-broken)
(session-wait "diagnostics" (and flymake-mode (flymake-diagnostics)))

(find-file "toggle.aag")
(session-wait "server" (eglot-managed-p))

(goto-char (point-min))
(forward-line 2)
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (session-position))))
  (unless (string-match-p "lamp" (format "%S" hover))
    (message "hover: %S" hover)
    (kill-emacs 1)))

(forward-line 2)
(forward-char 2)
(call-interactively #'xref-find-definitions)
(unless (= (line-number-at-pos) 3)
  (message "the definition is in line %s" (line-number-at-pos))
  (kill-emacs 1))

(eglot-rename "light")
(session-wait "renaming" (equal (session-line 7) "l0 light"))

(save-buffer)
(session-wait "counterexample" (session-says "refuted"))

(goto-char (point-min))
(forward-line 3)
(aiglens-at)
(session-wait "place of the property"
              (with-current-buffer "*aiglens at*" (string-match-p "Why it fails" (buffer-string))))

;; A command that neither moves nor edits asks nothing; a move does.
(let ((asked aiglens--at-number))
  (run-hooks 'post-command-hook)
  (unless (= asked aiglens--at-number)
    (message "asked without a move")
    (kill-emacs 1))
  (forward-line -1)
  (run-hooks 'post-command-hook)
  (when (= asked aiglens--at-number)
    (message "not asked after a move")
    (kill-emacs 1))
  (forward-line 1)
  (run-hooks 'post-command-hook))

(session-replace 3 "4 0")
(goto-char (point-min))
(forward-line 3)
(save-buffer)
(session-wait "proof" (and (session-says "proved") (not (session-says "refuted"))))
(session-wait "place of the proved property"
              (with-current-buffer "*aiglens at*" (string-match-p "^- proved" (buffer-string))))

;; An error is shown, and no earlier answer.
(cl-letf (((symbol-function 'eglot--TextDocumentPositionParams)
           (lambda () '(:textDocument (:uri "file:///missing.aag") :position (:line 0 :character 0)))))
  (aiglens--at-ask))
(session-wait "error of a place"
              (with-current-buffer "*aiglens at*" (string-match-p "missing.aag is not open" (buffer-string))))
(remove-hook 'post-command-hook #'aiglens--at-follow t)

(session-replace 3 "4 6")
(goto-char (point-min))
(forward-line 3)
(eglot--signal-textDocument/didChange)
(let ((check (seq-find (lambda (a) (string-prefix-p "Check property" (plist-get a :title)))
                       (eglot-code-actions (point) (line-end-position)))))
  (unless check
    (message "no action to check")
    (kill-emacs 1))
  (let ((command (plist-get check :command)))
    (eglot-execute-command (eglot-current-server) (intern (plist-get command :command))
                           (plist-get command :arguments))))
(session-wait "counterexample of what is not saved" (and (session-says "refuted") (buffer-modified-p)))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
(kill-emacs 0)
