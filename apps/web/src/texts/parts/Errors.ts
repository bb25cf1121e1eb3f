/** What is said of a bundle that cannot be opened or played, of its proof, or of what has failed. */

import texts from "../../../../texts/en.json?errors&part";
import { learnPart } from "../Speech";

learnPart(texts);
