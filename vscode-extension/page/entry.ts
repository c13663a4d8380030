import './page.css';
import './main';
