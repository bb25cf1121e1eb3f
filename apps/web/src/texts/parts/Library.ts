/** What is said in the list of all games. */

import texts from "../../../../texts/en.json?part=library";
import { learnPart } from "../Speech";

learnPart(texts);
