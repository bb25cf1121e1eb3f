/** What is said where two people play each other. */

import texts from "../../../../texts/en.json?people&part";
import { learnPart } from "../Speech";

learnPart(texts);
