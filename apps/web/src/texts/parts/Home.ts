/** What is said below the games that a first visit shows. */

import texts from "../../../../texts/en.json?home&part";
import { learnPart } from "../Speech";

learnPart(texts);
