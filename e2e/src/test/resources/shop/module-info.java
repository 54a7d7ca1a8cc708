module com.example.shop {
    requires dev.jono;

    opens com.example.shop to
            com.fasterxml.jackson.databind;
}
