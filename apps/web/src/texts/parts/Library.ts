/** What is said in the list of all games. */

import texts from "../../../../texts/en.json?library&part";
import { learnPart } from "../Speech";

learnPart(texts);
