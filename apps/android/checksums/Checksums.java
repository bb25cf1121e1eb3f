import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.eventspy.AbstractEventSpy;
import org.eclipse.aether.RepositoryEvent;
import org.eclipse.aether.artifact.Artifact;

/**
 * Ends Maven at the first file whose SHA-256 is not the committed one, before anything in it is read or run.
 *
 * <p>Make compiles it and gives it to Maven as an extension. Maven tells it of each JAR, AAR and POM that a build takes
 * from a registry or from the local repository. The property azx.checksums names the list, whose lines are those of
 * sha256sum: the sum, two spaces, the path in a Maven repository. With azx.checksums.add, a file that is not in the
 * list is added to it; one that is must still fit.
 *
 * <p>Maven 3.9 has such a check of its own. Maven 3.8, which Debian has, ignores its options without a word.
 */
@Named
@Singleton
public final class Checksums extends AbstractEventSpy {
    /** The reactor's own artifacts lie in target/, and are new each time. */
    private static final String OWN = "org.azx";

    private final Path list;
    private final boolean adds = Boolean.getBoolean("azx.checksums.add");
    private final Map<String, String> sums = new HashMap<>();
    private final Map<String, Boolean> seen = new HashMap<>();

    public Checksums() throws IOException {
        String given = System.getProperty("azx.checksums");
        if (given == null) {
            end("Maven got this extension without -Dazx.checksums=FILE: run it by make.");
        }
        list = Path.of(given);
        if (Files.exists(list)) {
            for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
                String[] parts = line.split("  ", 2);
                sums.put(parts[1], parts[0]);
            }
        }
    }

    @Override
    public void onEvent(Object event) {
        if (!(event instanceof RepositoryEvent)) {
            return;
        }
        RepositoryEvent found = (RepositoryEvent) event;
        if (found.getType() != RepositoryEvent.EventType.ARTIFACT_RESOLVED || found.getFile() == null) {
            return;
        }
        if (!found.getArtifact().getGroupId().equals(OWN)) {
            check(pathOf(found.getArtifact()), found.getFile());
        }
    }

    private synchronized void check(String path, File file) {
        if (seen.put(path, true) != null) {
            return;
        }
        String sum = sumOf(file);
        String known = sums.get(path);
        if (known == null && adds) {
            add(path, sum);
        } else if (known == null) {
            end(path + " is not in " + list + ": look at what it is, then add it by `make maven-checksums`.");
        } else if (!known.equals(sum)) {
            end(path + " has the SHA-256 " + sum + ", and " + list + " says " + known + ": " + file
                + " is not the file that azx was built with, so nothing of it was run; remove it.");
        }
    }

    private void add(String path, String sum) {
        sums.put(path, sum);
        try {
            Files.writeString(list, sum + "  " + path + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException error) {
            end(list + " cannot be written: " + error.getMessage());
        }
    }

    private static String pathOf(Artifact artifact) {
        String classifier = artifact.getClassifier().isEmpty() ? "" : "-" + artifact.getClassifier();
        return artifact.getGroupId().replace('.', '/') + "/" + artifact.getArtifactId() + "/" + artifact.getVersion()
            + "/" + artifact.getArtifactId() + "-" + artifact.getVersion() + classifier + "." + artifact.getExtension();
    }

    private static String sumOf(File file) {
        StringBuilder hex = new StringBuilder();
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file.toPath()));
            for (byte each : sum) {
                hex.append(String.format("%02x", each));
            }
        } catch (IOException | NoSuchAlgorithmException error) {
            end(file + " cannot be read: " + error.getMessage());
        }
        return hex.toString();
    }

    /** Maven passes over what an extension throws, and would go on: the process ends here. */
    private static void end(String sentence) {
        System.err.println("[ERROR] checksums: " + sentence);
        System.err.flush();
        Runtime.getRuntime().halt(1);
    }
}
