-- A start gives the server a generation when it finds none.
ALTER TABLE server ADD COLUMN generation TEXT;
