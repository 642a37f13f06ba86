import "./docs.css";
import { copyButtons } from "./copy-buttons.ts";
import { liveSearch } from "./live-search.ts";
import { followOldLink } from "./old-links.ts";
import { openPageList } from "./page-list.ts";
import { themeButton } from "./theme-button.ts";

// The pages of the documentation work without this script: it adds what needs one.
followOldLink();
openPageList();
themeButton();
copyButtons();
liveSearch();
