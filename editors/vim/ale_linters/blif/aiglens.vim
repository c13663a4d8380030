call aiglens#define('blif')
