package org.azx.app.screens.library

import android.content.ActivityNotFoundException
import android.content.Intent
import android.os.Bundle
import android.view.Menu
import android.view.MenuItem
import android.view.View
import android.widget.EditText
import android.widget.TextView
import org.azx.app.R
import org.azx.app.engine.records.GameRecord
import org.azx.app.engine.records.timeText
import org.azx.app.play.Assets
import org.azx.app.play.Errands
import org.azx.app.play.Worker
import org.azx.app.play.library.Library
import org.azx.app.play.library.Standing
import org.azx.app.play.recordGame
import org.azx.app.play.unshelve
import org.azx.app.screens.Dialogs
import org.azx.app.screens.Screen
import org.azx.app.screens.Words
import org.azx.app.screens.on
import org.azx.app.screens.onChange
import org.azx.app.screens.people.PeopleActivity
import org.azx.app.screens.play.PlayActivity
import org.azx.app.screens.say
import org.azx.app.screens.sentence
import org.azx.app.screens.showIf
import org.azx.app.screens.wordsIn

// How many are shown before more are wanted.
private const val PAGE = 60

private const val GAME = "game"
private const val STANDING = "standing"

/** The list of all games with pictures of their last positions, a search and two filters. Deleting can be undone. */
class LibraryActivity : Screen(R.layout.activity_library, R.string.library, R.menu.library) {
    private val worker = Worker("azx library list")
    private lateinit var telling: Telling
    private lateinit var cards: KeptGames
    private lateinit var games: Choice<String>
    private lateinit var standings: Choice<Standing>
    private var library: Library? = null
    private var most = PAGE

    private lateinit var errands: Errands

    /** Says what came of a file, or why a game is not shown. */
    val told = Dialogs(this)

    /** Whether the list is being read, or a picture of it drawn, or a game opened. */
    val isBusy: Boolean get() = worker.awaited + errands.awaited > 0

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        telling = Telling(resources)
        cards = KeptGames(this, findViewById(R.id.list), worker, ::open, ::delete)
        games = Choice(findViewById(R.id.library_games), getString(R.string.library_all), ::show)
        standings = Choice(findViewById(R.id.library_results), getString(R.string.library_all), ::show)
        games.chosen = savedInstanceState?.getString(GAME)
        standings.chosen = Standing.entries.find { it.name == savedInstanceState?.getString(STANDING) }
        @Suppress("DEPRECATION")
        errands = lastNonConfigurationInstance as? Errands ?: Errands(this)
        findViewById<EditText>(R.id.library_search).onChange { show(PAGE) }
        on(R.id.library_undo, ::undo)
        on(R.id.library_more) { show(most + PAGE) }
    }

    /** Each time, as a game may have gone on. */
    override fun onStart() {
        super.onStart()
        errands.onAnswer = ::hear
        val app = applicationContext
        worker.ask({ Assets.library(app).open() }) { answer ->
            answer.fold({
                library = it
                show()
                hear()
            }, ::refuse)
        }
    }

    private fun show(most: Int) {
        this.most = most
        show()
    }

    /** Bring the list in line with the library. */
    private fun show() {
        val all = library?.list() ?: return
        games.offer(all.map { it.game }.distinct().map { it to telling.game(it) })
        val there = all.map(Standing::of).toSet()
        standings.offer(Standing.entries.filter { it in there }.map { it to telling.standing(it) })
        val found = found(all)
        cards.show(found.take(most))
        findViewById<View>(R.id.opening).showIf(false)
        findViewById<View>(R.id.games).showIf(true)
        findViewById<View>(R.id.library_search).showIf(all.isNotEmpty())
        findViewById<View>(R.id.library_more).showIf(found.size > most)
        val none = getString(if (all.isEmpty()) R.string.library_empty else R.string.library_none)
        findViewById<TextView>(R.id.library_count).say(
            if (found.isEmpty()) none else telling.count(R.plurals.library_count, found.size),
        )
        showUnread()
        showDeleted()
    }

    private fun found(all: List<GameRecord>): List<GameRecord> {
        val words = wordsIn(findViewById<EditText>(R.id.library_search).text)
        return all.filter { record ->
            games.chosen.let { it == null || it == record.game } &&
                standings.chosen.let { it == null || it == Standing.of(record) } &&
                (words.isEmpty() || telling.sought(record).let { sought -> words.all { it in sought } })
        }
    }

    private fun showUnread() = findViewById<TextView>(R.id.library_unread).run {
        val count = library?.damaged.orEmpty().size
        showIf(count > 0)
        if (count > 0) say(telling.count(R.plurals.library_unread, count))
    }

    private fun showDeleted() {
        val record = errands.deleted
        findViewById<View>(R.id.library_done).showIf(record != null)
        if (record == null) return
        val said = telling.say(R.string.library_deleted, telling.players(record), telling.game(record.game))
        findViewById<TextView>(R.id.library_deleted).say(said)
    }

    private fun delete(record: GameRecord) {
        library?.remove(record.id)
        errands.deleted = record
        show()
    }

    private fun undo() {
        errands.deleted?.let { library?.keep(it) }
        errands.deleted = null
        show()
    }

    /** Let a person choose the file to write all games to, or to read games from. */
    private fun pick(request: Int, intent: Intent) = try {
        @Suppress("DEPRECATION")
        startActivityForResult(intent.addCategory(Intent.CATEGORY_OPENABLE).setType(ZIP), request)
    } catch (error: ActivityNotFoundException) {
        refuse(error)
    }

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onActivityResult(requestCode: Int, resultCode: Int, data: Intent?) {
        val file = data?.data ?: return
        if (resultCode != RESULT_OK) return
        if (requestCode == EXPORT) errands.giveGames(file)
        if (requestCode == IMPORT) errands.takeGames(file)
    }

    /** Say what came of a file until a person has read it, on the next screen too. */
    private fun hear() {
        val answer = errands.answer ?: return
        show()
        told.tell(answer.fold(telling::imported) { Words(resources).sentence(it) }, read = errands::read)
    }

    override fun onPrepareOptionsMenu(menu: Menu): Boolean {
        menu.findItem(R.id.library_export).isEnabled = library?.list()?.isNotEmpty() == true
        return super.onPrepareOptionsMenu(menu)
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean = when (item.itemId) {
        R.id.library_export -> {
            val name = "azx-games-${timeText().take(10)}.zip"
            true.also { pick(EXPORT, Intent(Intent.ACTION_CREATE_DOCUMENT).putExtra(Intent.EXTRA_TITLE, name)) }
        }
        R.id.library_import -> true.also { pick(IMPORT, Intent(Intent.ACTION_OPEN_DOCUMENT)) }
        else -> super.onOptionsItemSelected(item)
    }

    /** Show a game with the network that has played it, or one that could. */
    private fun open(record: GameRecord) {
        if (record.isOfTwo) return startActivity(PeopleActivity.intent(this, record.id))
        val app = applicationContext
        worker.ask({ record.unshelve()?.let { recordGame(app, record) } }) { answer ->
            answer.fold({ game ->
                if (game == null) {
                    told.tell(getString(R.string.library_damaged))
                } else {
                    startActivity(PlayActivity.intent(this, game))
                }
            }, ::refuse)
        }
    }

    private fun refuse(error: Throwable) = told.tell(Words(resources).sentence(error))

    @Suppress("OVERRIDE_DEPRECATION")
    override fun onRetainNonConfigurationInstance(): Any = errands

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putString(GAME, games.chosen)
        outState.putString(STANDING, standings.chosen?.name)
    }

    override fun onDestroy() {
        super.onDestroy()
        told.close()
        worker.close()
        if (isChangingConfigurations) errands.onAnswer = {} else errands.close()
    }

    companion object {
        const val EXPORT = 1
        const val IMPORT = 2
        private const val ZIP = "application/zip"
    }
}
