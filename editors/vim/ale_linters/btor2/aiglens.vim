call aiglens#define('btor2')
