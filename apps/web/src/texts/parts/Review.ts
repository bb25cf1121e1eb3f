/** What is said of moves and positions that were looked at. */

import texts from "../../../../texts/en.json?review&part";
import { learnPart } from "../Speech";

learnPart(texts);
