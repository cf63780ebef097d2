package dev.millrace.export.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and keys from files of the textual encodings of RFC 7468 ("PEM"). What stands
 * outside of the encapsulation boundaries is ignored. Error messages name files and labels and
 * never show content.
 */
final class Pem {
  /** A bundle of all public certificate authorities is a quarter of this. */
  static final int MAX_FILE_BYTES = 1 << 20;

  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";

  private record Block(String label, String base64) {
    byte[] decoded(Path file) {
      try {
        return Base64.getMimeDecoder().decode(base64);
      } catch (IllegalArgumentException e) {
        // The decoder's message shows a character of the content.
        throw new IllegalArgumentException(
            file
                + ": expected base64 between BEGIN "
                + label
                + " and its END, found something else");
      }
    }
  }

  private Pem() {}

  /** All certificates of a file, one or more, in its order. */
  static List<X509Certificate> certificates(Path file) throws IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks(file)) {
      if (block.label().equals(CERTIFICATE)) {
        certificates.add(certificate(file, block.decoded(file)));
      }
    }
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException(
          file + ": expected one or more certificates (BEGIN CERTIFICATE), found none");
    }
    return certificates;
  }

  /**
   * The private key of a file.
   *
   * @param publicKey the key that it belongs to
   */
  static PrivateKey privateKey(Path file, PublicKey publicKey) throws IOException {
    Block found = null;
    for (Block block : blocks(file)) {
      String advice = adviceFor(block.label());
      if (advice != null) {
        throw new IllegalArgumentException(
            file
                + ": expected an unencrypted PKCS#8 key (BEGIN PRIVATE KEY), found BEGIN "
                + block.label()
                + "; convert it: "
                + advice);
      }
      if (block.label().equals(PRIVATE_KEY)) {
        if (found != null) {
          throw new IllegalArgumentException(
              file + ": expected one private key, found two; leave the right one");
        }
        found = block;
      }
    }
    if (found == null) {
      throw new IllegalArgumentException(
          file + ": expected a private key (BEGIN PRIVATE KEY), found none");
    }
    byte[] encoded = found.decoded(file);
    try {
      return KeyFactory.getInstance(publicKey.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file
              + ": expected a PKCS#8 key of the certificate's kind ("
              + publicKey.getAlgorithm()
              + "), found one that is not");
    }
  }

  private static @Nullable String adviceFor(String label) {
    return switch (label) {
      case "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY" ->
          "openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW";
      case "ENCRYPTED PRIVATE KEY" -> "openssl pkcs8 -in OLD -out NEW";
      default -> null;
    };
  }

  private static X509Certificate certificate(Path file, byte[] encoded) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(encoded));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file + ": expected an X.509 certificate, found one that cannot be read", e);
    }
  }

  private static List<Block> blocks(Path file) throws IOException {
    long sizeBytes = Files.size(file);
    if (sizeBytes > MAX_FILE_BYTES) {
      throw new IllegalArgumentException(
          file + ": expected at most " + MAX_FILE_BYTES + " bytes of PEM, found " + sizeBytes);
    }
    List<Block> blocks = new ArrayList<>();
    String label = null;
    StringBuilder base64 = new StringBuilder();
    for (String raw : Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1)) {
      String line = raw.strip();
      if (line.startsWith(BEGIN) && line.endsWith(DASHES)) {
        label = line.substring(BEGIN.length(), line.length() - DASHES.length());
        base64.setLength(0);
      } else if (label != null && line.equals(END + label + DASHES)) {
        blocks.add(new Block(label, base64.toString()));
        label = null;
      } else if (label != null) {
        base64.append(line);
      }
    }
    if (label != null) {
      throw new IllegalArgumentException(
          file
              + ": expected an END line for BEGIN "
              + (label.length() > 40 ? "..." : label)
              + ", found the end of the file; it may be written just now");
    }
    return blocks;
  }
}
