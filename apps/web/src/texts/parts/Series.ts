/** What is said of games between two networks. */

import texts from "../../../../texts/en.json?part=series";
import { learnPart } from "../Speech";

learnPart(texts);
