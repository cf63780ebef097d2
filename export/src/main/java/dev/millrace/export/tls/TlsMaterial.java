package dev.millrace.export.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes a context of files.
 *
 * @param identity the own certificate and key; {@code null} for a client that shows none
 * @param authorities who signs the peers' certificates; {@code null} for a server that asks for
 *     none, or a client that trusts whom the JDK trusts
 */
record TlsMaterial(@Nullable Identity identity, @Nullable Path authorities) {
  /** Two files that belong together. */
  record Identity(Path certificateChain, Path privateKey) {}

  /** The key store never leaves memory; its format wants a password all the same. */
  private static final char[] IN_MEMORY = "memory".toCharArray();

  /** All files that the context is made of. */
  List<Path> files() {
    List<Path> files = new ArrayList<>();
    if (identity != null) {
      files.add(identity.certificateChain());
      files.add(identity.privateKey());
    }
    if (authorities != null) {
      files.add(authorities);
    }
    return files;
  }

  /** Reads the files. */
  SSLContext load() throws IOException {
    Identity own = identity;
    try {
      KeyManager[] keys = own == null ? null : keyManagers(own);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "expected certificates and a key that TLS can use in "
              + files()
              + ", found: "
              + e.getMessage()
              + "; the own certificate comes first, and then each is followed by its signer's",
          e);
    }
  }

  private static KeyManager[] keyManagers(Identity own)
      throws GeneralSecurityException, IOException {
    List<X509Certificate> chain = Pem.certificates(own.certificateChain());
    PublicKey publicKey = chain.get(0).getPublicKey();
    PrivateKey key = Pem.privateKey(own.privateKey(), publicKey);
    requirePair(own, key, publicKey);
    return keyManagers(key, chain);
  }

  /**
   * Nothing in the JDK compares them before a peer fails, and two files are never replaced at the
   * same moment.
   */
  private static void requirePair(Identity own, PrivateKey key, PublicKey publicKey)
      throws GeneralSecurityException {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA", "Ed25519" -> "Ed25519";
          default ->
              throw new IllegalArgumentException(
                  own.certificateChain()
                      + ": expected a certificate with an RSA, EC or Ed25519 key, found "
                      + publicKey.getAlgorithm());
        };
    byte[] text = "pair".getBytes(StandardCharsets.US_ASCII);
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(text);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(publicKey);
    verifier.update(text);
    boolean same;
    try {
      same = verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // A signature of another length is not false but an exception.
      same = false;
    }
    if (!same) {
      throw new IllegalArgumentException(
          own.privateKey()
              + ": expected the key of the first certificate in "
              + own.certificateChain()
              + ", found another one; put the own certificate first, and replace both"
              + " files together");
    }
  }

  private static KeyManager[] keyManagers(PrivateKey key, List<X509Certificate> chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setKeyEntry("key", key, IN_MEMORY, chain.toArray(new Certificate[0]));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, IN_MEMORY);
    return factory.getKeyManagers();
  }

  private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
    if (authorities == null) {
      return null;
    }
    KeyStore store = emptyStore();
    int number = 0;
    for (X509Certificate authority : Pem.certificates(authorities)) {
      store.setCertificateEntry("authority-" + number++, authority);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
