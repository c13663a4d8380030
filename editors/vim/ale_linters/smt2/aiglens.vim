call aiglens#define('smt2')
