call aiglens#define('aiger')
