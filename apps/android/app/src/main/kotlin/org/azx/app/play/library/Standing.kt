package org.azx.app.play.library

import org.azx.app.engine.records.GameRecord

/** How a game stands for who has played it here; OTHERS is one of other people, PEOPLE of two here. The text of each is `library_` and its name. */
enum class Standing {
    OPEN, WON, LOST, DRAW, WATCHED, PEOPLE, OTHERS;

    companion object {
        fun of(record: GameRecord): Standing = when {
            record.isRead && !record.isOfTwo -> OTHERS
            !record.isOver -> OPEN
            record.isOfTwo -> PEOPLE
            !record.hasPerson -> WATCHED
            record.winner == null -> DRAW
            else -> if (record.winner == record.human) WON else LOST
        }
    }
}
