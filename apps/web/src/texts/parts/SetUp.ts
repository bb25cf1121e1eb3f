/** What is said where a position is set up. */

import texts from "../../../../texts/en.json?setup&part";
import { learnPart } from "../Speech";

learnPart(texts);
