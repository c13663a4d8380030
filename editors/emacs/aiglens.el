;;; aiglens.el --- Modes for AIGER, BLIF and BTOR2, with a model checker  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, hardware
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Modes for hardware circuits as text: AIGER (.aag), BLIF (.blif, .eblif) and BTOR2
;; (.btor2, .btor).  They colour
;; the text by themselves; with the program `aiglens' on the path, Eglot adds diagnostics,
;; names, references, renaming and the verdict beside each property after every save.
;;
;; To start the server with every circuit:
;;
;;     (add-hook 'aiger-mode-hook #'eglot-ensure)
;;     (add-hook 'blif-mode-hook #'eglot-ensure)
;;     (add-hook 'btor2-mode-hook #'eglot-ensure)
;;     (add-hook 'smt2-mode-hook #'eglot-ensure)
;;
;; Eglot draws no lenses.  To check without saving, use `M-x eglot-code-actions' on the row
;; of a property.

;;; Code:

(require 'eglot)

(defgroup aiglens nil
  "Hardware circuits as text."
  :group 'languages)

(defcustom aiglens-command '("aiglens" "serve")
  "The program that serves circuits, and its arguments."
  :type '(repeat string))

(defcustom aiglens-options '(:diagnostics (:proved "on"))
  "Settings of the server, as a property list."
  :type 'plist)

(defface aiglens-negated '((t :inherit font-lock-constant-face :slant italic))
  "Face of negated literals.")

(defconst aiglens--aiger-keywords
  `(("\\`\\(aag\\|aig\\)\\(\\(?: +[0-9]+\\)*\\)"
     (1 font-lock-keyword-face) (2 font-lock-preprocessor-face))
    ("^\\([il]\\)\\([0-9]+\\)\\(?: \\(.*\\)\\)?$"
     (1 font-lock-type-face) (2 font-lock-type-face) (3 font-lock-variable-name-face nil t))
    ("^\\([obcjf]\\)\\([0-9]+\\)\\(?: \\(.*\\)\\)?$"
     (1 font-lock-type-face) (2 font-lock-type-face) (3 font-lock-function-name-face nil t))
    ("\\(?:^\\| \\)\\([01]\\)\\(?:$\\|\\b\\)" 1 font-lock-constant-face)
    ("\\b[0-9]*[13579]\\b" . 'aiglens-negated)))

(defconst aiglens--blif-keywords
  (let ((name "[^ \t\n#\\\\]+"))
    `(("^\\s-*#\\s-*\\(prop:\\)\\(?:\\s-+\\(\\S-+\\)\\)?"
       (1 font-lock-preprocessor-face t) (2 font-lock-keyword-face t t))
      (,(concat "^\\s-*\\(\\.\\(?:model\\|search\\|subckt\\|gate\\|mlatch\\)\\)\\s-+\\(" name "\\)")
       (1 font-lock-keyword-face) (2 font-lock-type-face))
      (,(concat "^\\s-*\\(\\.latch\\)\\s-+" name "\\s-+\\(" name "\\)")
       (1 font-lock-keyword-face) (2 font-lock-variable-name-face))
      (,(concat "^\\s-*\\(\\.names\\)\\(?:\\s-+" name "\\)*?\\s-+\\(" name "\\)\\s-*\\(?:#.*\\)?$")
       (1 font-lock-keyword-face) (2 font-lock-function-name-face))
      ("^\\s-*\\(\\.[^ \t\n#]+\\)" 1 font-lock-keyword-face)
      ("\\([^ \t\n#=]+\\)=" 1 font-lock-variable-name-face)
      ("^\\s-*\\([01-]+\\)\\(?:\\s-+\\([01]\\)\\)?\\s-*\\(?:#.*\\)?$"
       (1 font-lock-constant-face) (2 font-lock-constant-face nil t)))))

(defconst aiglens--btor2-keywords
  '(("^\\s-*\\([0-9]+\\) \\(bad\\|constraint\\|fair\\|output\\|justice\\)\\_>"
     (1 font-lock-constant-face) (2 font-lock-keyword-face))
    ("^\\s-*\\([0-9]+\\) \\(sort\\|input\\|state\\|const[dh]?\\|ones?\\|zero\\|init\\|next\\)\\_>"
     (1 font-lock-constant-face) (2 font-lock-type-face))
    ("^\\s-*\\([0-9]+\\) \\([a-z]+\\)\\_>" (1 font-lock-constant-face) (2 font-lock-builtin-face))
    ("\\s-\\(-[0-9]+\\)\\_>" 1 'aiglens-negated)))

(defconst aiglens--smt2-keywords
  '(("(\\(declare-\\(?:fun\\|rel\\|const\\|var\\)\\|define-fun\\)\\s-+\\([^ \t\n()]+\\)"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("(\\(assert\\|rule\\|query\\|check-sat\\|set-\\(?:logic\\|info\\|option\\)\\|get-[a-z-]+\\|exit\\)\\_>"
     1 font-lock-keyword-face)
    ("(\\(not\\|and\\|or\\|=>\\|xor\\|distinct\\|ite\\|let\\|forall\\|exists\\|div\\|mod\\|abs\\|to_real\\)\\_>"
     1 font-lock-builtin-face)
    ("\\_<\\(?:Bool\\|Int\\|Real\\|HORN\\)\\_>" . font-lock-type-face)
    ("\\_<\\(?:true\\|false\\)\\_>" . font-lock-constant-face)))

(defvar aiger-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\" "." table)
    (modify-syntax-entry ?_ "w" table)
    table)
  "A quote is not a string in AIGER.")

(defun aiglens--aiger-propertize (start end)
  "Make the first line c between START and END begin a comment."
  (goto-char start)
  (while (re-search-forward "^c$" end t)
    (unless (nth 4 (save-excursion (syntax-ppss (match-beginning 0))))
      (put-text-property (match-beginning 0) (match-end 0) 'syntax-table (string-to-syntax "!"))
      ;; What follows is the comment; no other line ends it.
      (goto-char end))))

;;;###autoload
(define-derived-mode aiger-mode prog-mode "AIGER"
  "Mode for AIGER as text."
  (setq-local font-lock-defaults '(aiglens--aiger-keywords))
  (setq-local syntax-propertize-function #'aiglens--aiger-propertize)
  (setq-local comment-start nil))

(defvar blif-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "." table)
    (dolist (char '(?_ ?\[ ?\] ?. ?$ ?: ?< ?> ?~))
      (modify-syntax-entry char "_" table))
    table)
  "Names of BLIF may have any character but white space and the number sign.")

;;;###autoload
(define-derived-mode blif-mode prog-mode "BLIF"
  "Mode for BLIF."
  (setq-local font-lock-defaults '(aiglens--blif-keywords))
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+\\s-*")
  (setq-local comment-end ""))

(defvar btor2-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "." table)
    (dolist (char '(?_ ?\[ ?\] ?. ?$ ?: ?< ?> ?~))
      (modify-syntax-entry char "_" table))
    table)
  "A comment of BTOR2 begins with a semicolon.")

;;;###autoload
(define-derived-mode btor2-mode prog-mode "BTOR2"
  "Mode for BTOR2."
  (setq-local font-lock-defaults '(aiglens--btor2-keywords))
  (setq-local comment-start "; ")
  (setq-local comment-start-skip ";+\\s-*")
  (setq-local comment-end ""))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.aag\\'" . aiger-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.e?blif\\'" . blif-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.btor2?\\'" . btor2-mode))

;;;###autoload
(define-derived-mode smt2-mode prog-mode "SMT-LIB"
  "Mode for Horn clauses in SMT-LIB."
  :syntax-table lisp-data-mode-syntax-table
  (setq-local font-lock-defaults '(aiglens--smt2-keywords))
  (setq-local indent-line-function #'lisp-indent-line)
  (setq-local comment-start "; ")
  (setq-local comment-start-skip ";+\\s-*")
  (setq-local comment-end ""))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.smt2\\'" . smt2-mode))

(defclass aiglens-server (eglot-lsp-server) ()
  :documentation "The server of circuits, which tells the status of properties.")

(cl-defmethod eglot-client-capabilities ((_ aiglens-server))
  "Those of Eglot, and that the server tells when verdicts change."
  (plist-put (cl-call-next-method) :experimental '(:aiglens (:status t))))

(defun aiglens--contact (&rest _)
  "What Eglot is to start."
  (append '(aiglens-server) aiglens-command (list :initializationOptions aiglens-options)))

;; Two entries, since Eglot before 1.12 names the language of a server's first file for all.
(add-to-list 'eglot-server-programs '(aiger-mode . aiglens--contact))
(add-to-list 'eglot-server-programs '(blif-mode . aiglens--contact))
(add-to-list 'eglot-server-programs '(btor2-mode . aiglens--contact))
(add-to-list 'eglot-server-programs '(smt2-mode . aiglens--contact))

;;; All that is known of a place

(defun aiglens--at-show (text)
  "Write TEXT into the buffer of `aiglens-at'."
  (with-current-buffer (get-buffer-create "*aiglens at*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (special-mode)))

(defvar aiglens--at-number 0
  "How often the server was asked for a place; only the last answer is shown.")

(defvar aiglens--at-asked nil
  "The buffer, place and text that the server was last asked about.")

(defun aiglens--at-here ()
  "The place of point, as `aiglens--at-asked' has it."
  (list (current-buffer) (point) (buffer-chars-modified-tick)))

(defun aiglens--at-ask ()
  "Ask the server what is known of the place of point."
  (setq aiglens--at-asked (aiglens--at-here))
  (when-let ((server (eglot-current-server))
             (here (eglot--TextDocumentPositionParams)))
    (let* ((number (setq aiglens--at-number (1+ aiglens--at-number)))
           (show (lambda (text) (when (= number aiglens--at-number) (aiglens--at-show text)))))
      (jsonrpc-async-request
       server :workspace/executeCommand
       (list :command "aiglens.at"
             :arguments (vector (list :uri (plist-get (plist-get here :textDocument) :uri)
                                      :position (plist-get here :position))))
       :success-fn (lambda (answer) (funcall show (plist-get answer :text)))
       :error-fn (lambda (problem) (funcall show (plist-get problem :message)))
       :timeout-fn (lambda () (funcall show "The server does not answer."))
       :deferred :aiglens-at))))

(defun aiglens--at-follow ()
  "Ask about another place or text, as long as the buffer of `aiglens-at' is shown."
  (if (get-buffer-window "*aiglens at*" t)
      (unless (equal aiglens--at-asked (aiglens--at-here))
        (aiglens--at-ask))
    (remove-hook 'post-command-hook #'aiglens--at-follow t)))

(defun aiglens--at-again ()
  "Ask about the same place again: something else is known."
  (let ((buffer (car aiglens--at-asked)))
    (when (and (buffer-live-p buffer) (get-buffer-window "*aiglens at*" t))
      (with-current-buffer buffer
        (let ((window (get-buffer-window buffer t)))
          (save-excursion
            (when window (goto-char (window-point window)))
            (aiglens--at-ask)))))))

(cl-defmethod eglot-handle-notification
  ((_ aiglens-server) (_ (eql aiglens/status)) &rest _)
  "Verdicts have changed."
  (aiglens--at-again))

(cl-defmethod eglot-handle-notification
  ((_ aiglens-server) (_ (eql aiglens/step)) &rest _)
  "Another step of a counterexample is shown."
  (aiglens--at-again))

(cl-defmethod eglot-handle-notification
  ((_ aiglens-server) (_ (eql aiglens/cluster)) &rest _)
  "The state of the cluster has no place in Emacs.")

;;;###autoload
(defun aiglens-at ()
  "Show all that is known of the place of point, and follow it as long as that is shown."
  (interactive)
  (unless (eglot-current-server)
    (user-error "Eglot does not serve this buffer"))
  (display-buffer (get-buffer-create "*aiglens at*"))
  (add-hook 'post-command-hook #'aiglens--at-follow nil t)
  (aiglens--at-ask))

(provide 'aiglens)
;;; aiglens.el ends here
