/** What is said of games between two networks. */

import texts from "../../../../texts/en.json?series&part";
import { learnPart } from "../Speech";

learnPart(texts);
